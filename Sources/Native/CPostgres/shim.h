// PostgreSQL's client library for Swift.
#ifndef HEARTH_CPOSTGRES_SHIM_H
#define HEARTH_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

// Letters that name the fields of an error; Swift cannot import macros of this kind.
enum {
    HEARTH_PG_SQLSTATE = 'C',
    HEARTH_PG_MESSAGE = 'M'
};

// Prints nothing: what the server notes about a statement ("already exists, skipping") is for people at a terminal.
static inline void hearth_pg_ignore_notice(void *context, const PGresult *result) { (void)context; (void)result; }

static inline void hearth_pg_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, hearth_pg_ignore_notice, 0);
}

#endif
