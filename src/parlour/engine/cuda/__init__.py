"""The rules on a GPU: the same games as on the CPU, to the byte, one thread for each.

    device      whether there is a GPU to use, and why not
    storage     where a thread keeps the fields of its state
    numbers     arithmetic of 32 bits
    states, keeping, draws, tables, actions, sinks    states and their fields, chance, tuples and lists as Numba
                                              compiles them
    translate   rules as device functions
    rollout     whole random games, tallied; of ``kernels``, made of ``parts``
    batch       many matches side by side, in ``batch_rows``; of ``batch_kernels``, made of ``batch_parts``
    cache       kernels kept on disk
    arrays      arrays that others share

Nothing here is imported unless a GPU is asked for. With NUMBA_ENABLE_CUDASIM=1 the kernels run in Numba's simulator.
"""
