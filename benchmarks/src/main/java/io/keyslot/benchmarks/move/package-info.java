// SPDX-License-Identifier: Apache-2.0
/** The cost of moving slots, compared with Redis Cluster and for a running application. */
@NullMarked
package io.keyslot.benchmarks.move;

import org.jspecify.annotations.NullMarked;
