// SPDX-License-Identifier: Apache-2.0
/** The state of a Redis or Valkey Cluster for operators: owners, response times, and findings. */
@NullMarked
package io.keyslot.cluster.nodes;

import org.jspecify.annotations.NullMarked;
