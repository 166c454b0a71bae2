"""The running table on the page: snapshots, the event stream, buttons and score pads."""
