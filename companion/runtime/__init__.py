"""The running program: its parts built in order, started, stopped and restarted."""
