global a <close>
