// SPDX-License-Identifier: Apache-2.0
/** Which slots are asked for most, and which have most: asked of the partitions, and told to people. */
@NullMarked
package io.keyslot.cluster.load;

import org.jspecify.annotations.NullMarked;
