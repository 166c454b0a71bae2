"""The doctor: what is in order on this machine, what is worth knowing, what to mend and how."""
