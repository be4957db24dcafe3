// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// zlib as the reference for tests and fuzz targets; the products do not link it.
#pragma once
#include <zlib.h>
