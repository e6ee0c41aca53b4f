a ** not b
