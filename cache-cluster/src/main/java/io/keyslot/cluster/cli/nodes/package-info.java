// SPDX-License-Identifier: Apache-2.0
/** {@code keyslot check} and {@code keyslot status} of a Redis or Valkey Cluster. */
@NullMarked
package io.keyslot.cluster.cli.nodes;

import org.jspecify.annotations.NullMarked;
