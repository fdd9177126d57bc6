// SPDX-License-Identifier: Apache-2.0

/** Near caches: copies of entries in the process that reads them. */
@NullMarked
package io.keyslot.cache.near;

import org.jspecify.annotations.NullMarked;
