"""Settings on the page: changes, the light test and the calibration of a wiring."""
