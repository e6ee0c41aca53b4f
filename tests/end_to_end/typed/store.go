// Package store keeps the items of a shop.
package store

import (
	"errors"
	"fmt"
	"sort"
	"sync"
)

// ErrMissing says that the store has no such item.
var ErrMissing = errors.New("no such item")

// Item is one kind of goods.
type Item struct {
	Name  string
	Price float64
	Count int
	Tags  map[string]bool
}

// Store holds items by their names. It may be used from several goroutines.
type Store struct {
	mutex sync.Mutex
	items map[string]*Item
	log   func(format string, arguments ...any)
}

// New returns an empty store.
func New(log func(string, ...any)) *Store {
	return &Store{items: map[string]*Item{}, log: log}
}

// Add puts some items into the store.
func (s *Store) Add(name string, price float64, count int) error {
	if count < 1 {
		return fmt.Errorf("cannot add %d of %q", count, name)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	item, known := s.items[name]
	if !known {
		item = &Item{Name: name, Tags: map[string]bool{}}
		s.items[name] = item
	}
	item.Price = price
	item.Count += count
	return nil
}

// Take removes some items from the store.
func (s *Store) Take(name string, count int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	item, known := s.items[name]
	switch {
	case !known:
		return ErrMissing
	case item.Count < count:
		return fmt.Errorf("only %d of %q are left", item.Count, name)
	default:
		item.Count -= count
	}
	return nil
}

// Names returns the names of all items, in order.
func (s *Store) Names() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	names := make([]string, 0, len(s.items))
	for name := range s.items {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Worth returns the price of all that is in the store.
func (s *Store) Worth() (worth float64) {
	for _, name := range s.Names() {
		if item := s.items[name]; item.Count > 0 {
			worth += item.Price * float64(item.Count)
		}
	}
	return worth
}
