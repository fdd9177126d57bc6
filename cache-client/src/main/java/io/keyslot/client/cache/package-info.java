// SPDX-License-Identifier: Apache-2.0
/** What a cache does for its callers: reads, writes, processors. */
@NullMarked
package io.keyslot.client.cache;

import org.jspecify.annotations.NullMarked;
