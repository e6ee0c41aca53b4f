let a: b | unknown<c>;
