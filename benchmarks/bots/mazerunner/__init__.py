"""How the runner of mazerunner learns: its numbers by playing, its network by who won. docs/strength.md tells more.

python -m benchmarks.bots.mazerunner.numbers --minutes 30     finds numbers that win, and prints them
python -m benchmarks.bots.mazerunner.network --minutes 30     plays matches, fits the network, and writes it
"""
