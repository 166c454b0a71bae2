"""Training: the value tables computed anew from random deals."""
