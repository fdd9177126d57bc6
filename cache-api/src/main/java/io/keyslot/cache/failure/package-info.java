// SPDX-License-Identifier: Apache-2.0
/** The failures of a partitioned cache: each says whether anything was changed and whether the call may be repeated. */
@NullMarked
package io.keyslot.cache.failure;

import org.jspecify.annotations.NullMarked;
