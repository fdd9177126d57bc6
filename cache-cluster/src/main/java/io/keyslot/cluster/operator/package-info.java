// SPDX-License-Identifier: Apache-2.0
/** The operations of an operator on a map and its moves. Independent of the command line. */
@NullMarked
package io.keyslot.cluster.operator;

import org.jspecify.annotations.NullMarked;
