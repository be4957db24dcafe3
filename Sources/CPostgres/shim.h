// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <libpq-fe.h>

// Character constants are not imported.
static const int CPOSTGRES_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPOSTGRES_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY;
static const int CPOSTGRES_DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME;

static inline void cpostgres_ignore(void *context, const PGresult *notice) {}

// Without a receiver the library writes notices to standard error.
static inline void cpostgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, cpostgres_ignore, 0);
}
