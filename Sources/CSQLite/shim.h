// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

#pragma once
#include <sqlite3.h>
