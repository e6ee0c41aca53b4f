export declare functionname()
