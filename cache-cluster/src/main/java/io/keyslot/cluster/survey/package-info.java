// SPDX-License-Identifier: Apache-2.0
/** The observable state of a cluster, read from its partitions only. */
@NullMarked
package io.keyslot.cluster.survey;

import org.jspecify.annotations.NullMarked;
