// SPDX-License-Identifier: Apache-2.0
/** Plans for moves and their costs. Pure: a map and facts in, a plan out. */
@NullMarked
package io.keyslot.cluster.plan;

import org.jspecify.annotations.NullMarked;
