// SPDX-License-Identifier: Apache-2.0
/** What is to move where, and what that costs, before anything does. Pure: a map and facts in, a plan out. */
@NullMarked
package io.keyslot.cluster.plan;

import org.jspecify.annotations.NullMarked;
