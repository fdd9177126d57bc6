// SPDX-License-Identifier: Apache-2.0
/**
 * The operations of a cache for its callers: reads, writes, entry processors, iterators and scans, with the loader and
 * the writer of the application.
 */
@NullMarked
package io.keyslot.client.cache;

import org.jspecify.annotations.NullMarked;
