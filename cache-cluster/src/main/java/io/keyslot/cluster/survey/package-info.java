// SPDX-License-Identifier: Apache-2.0
/** What can be seen of a cluster as it is: its partitions, what they count, what they store; asked of the partitions alone. */
@NullMarked
package io.keyslot.cluster.survey;

import org.jspecify.annotations.NullMarked;
