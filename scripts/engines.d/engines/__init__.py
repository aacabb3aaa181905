"""Real engines for tests: PostgreSQL, Ceph's radosgw, OpenStack Swift and nginx, each with a folder and ports of its own.

Every engine can be started, stopped, killed, paused and started again over the same folder and port:

    with Keeper() as keeper:
        with Postgres(keeper) as database:
            database.kill()
            database.start()

All ends with the keeper, also when the process that made the keeper is killed.
"""
