"""What others see of archives: text, tables, plain values, data frames, xarray, Zarr and the command."""
