"""The lab: simulation and measurement on the compiled rules."""
