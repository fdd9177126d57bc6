// SPDX-License-Identifier: Apache-2.0
/** Credentials for the partitions. */
@NullMarked
package io.keyslot.cache.access;

import org.jspecify.annotations.NullMarked;
