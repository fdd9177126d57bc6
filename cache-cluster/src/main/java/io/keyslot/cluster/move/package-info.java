// SPDX-License-Identifier: Apache-2.0
/** Moves slots from one partition to another while applications use them. */
@NullMarked
package io.keyslot.cluster.move;

import org.jspecify.annotations.NullMarked;
