"""The processes of a bot, each started by the one before. All end when the caller does.

caller        whoever has a bot: a match, a tournament
fork server   has imported what bots need, so that forking is all it takes to start one
supervisor    starts one bot, watches what it uses, ends it and all that it started
init          the first process in a program's namespaces: all in there end with it
bot           inside the sandbox; a bot file is the first process in its namespaces itself
"""
