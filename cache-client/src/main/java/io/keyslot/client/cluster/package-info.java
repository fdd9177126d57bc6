// SPDX-License-Identifier: Apache-2.0
/** The primaries of a Redis or Valkey Cluster, as its servers report them. */
@NullMarked
package io.keyslot.client.cluster;

import org.jspecify.annotations.NullMarked;
