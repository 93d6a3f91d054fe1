"""What holds archives: files, series, sets and folders, here or in object stores."""
