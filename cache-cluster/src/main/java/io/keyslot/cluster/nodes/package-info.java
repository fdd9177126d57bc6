// SPDX-License-Identifier: Apache-2.0
/** What the nodes of a Redis or Valkey Cluster tell an operator: who owns what, who answers, and what does not fit. */
@NullMarked
package io.keyslot.cluster.nodes;

import org.jspecify.annotations.NullMarked;
