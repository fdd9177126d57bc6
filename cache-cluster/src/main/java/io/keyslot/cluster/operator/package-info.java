// SPDX-License-Identifier: Apache-2.0
/** What an operator does to a map whose slots move: apply a plan, look, pause, give up, go on, verify. Knows no command line. */
@NullMarked
package io.keyslot.cluster.operator;

import org.jspecify.annotations.NullMarked;
