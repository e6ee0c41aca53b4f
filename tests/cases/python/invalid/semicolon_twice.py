a;; b
