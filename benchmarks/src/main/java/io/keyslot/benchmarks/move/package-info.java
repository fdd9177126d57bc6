// SPDX-License-Identifier: Apache-2.0
/** What it costs to move slots: beside Redis Cluster, and for an application at work. */
@NullMarked
package io.keyslot.benchmarks.move;

import org.jspecify.annotations.NullMarked;
