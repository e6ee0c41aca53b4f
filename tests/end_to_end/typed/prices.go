package prices

import "fmt"

// Total returns the sum of some prices with the tax.
func Total(prices []float64, rate float64) float64 {
	subtotal := 0.0
	for _, price := range prices {
		subtotal += price
	}
	return subtotal * (1 + rate)
}

// Show prints each price on a line of its own.
func Show(prices []float64) {
	for place, price := range prices {
		fmt.Printf("%d: %.2f\n", place, price)
	}
}
