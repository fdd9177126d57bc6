// SPDX-License-Identifier: Apache-2.0
/** Copies keys from one partition to another at the pace of a move. */
@NullMarked
package io.keyslot.cluster.copy;

import org.jspecify.annotations.NullMarked;
