"""The rules on a GPU: the same games as on the CPU, to the byte, one thread for each.

    device      whether there is a GPU to use, and why not
    storage     where a thread keeps the fields of its state
    numbers     arithmetic of 32 bits
    values      states, chance, tables and actions as Numba compiles them
    translate   rules as device functions
    parts       what kernels are made of: compiled, or plain for Numba's simulator
    kernels     what every thread does
    rollout     whole random games, tallied

Nothing here is imported unless a GPU is asked for. With NUMBA_ENABLE_CUDASIM=1 the kernels run in Numba's simulator.
"""
