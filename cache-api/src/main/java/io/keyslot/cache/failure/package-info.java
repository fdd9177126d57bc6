// SPDX-License-Identifier: Apache-2.0
/** Failures of a partitioned cache. Each states whether anything was changed and whether the call may be repeated. */
@NullMarked
package io.keyslot.cache.failure;

import org.jspecify.annotations.NullMarked;
