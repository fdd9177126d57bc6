// SPDX-License-Identifier: Apache-2.0

/** Near caches, which keep entries in the memory of the process that reads them. */
@NullMarked
package io.keyslot.cache.near;

import org.jspecify.annotations.NullMarked;
