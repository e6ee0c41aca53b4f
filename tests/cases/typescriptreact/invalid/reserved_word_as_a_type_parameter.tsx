const a = <typeof,>() => 0;
