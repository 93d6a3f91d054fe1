"""Trajectories of molecules in series: frames, and the programs that read and write them."""
