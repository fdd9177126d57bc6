// SPDX-License-Identifier: Apache-2.0
/** Who logs in at the partitions. */
@NullMarked
package io.keyslot.cache.access;

import org.jspecify.annotations.NullMarked;
