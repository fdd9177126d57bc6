// SPDX-License-Identifier: Apache-2.0
/** Applications on real servers: what a user sees, faults included. */
@NullMarked
package io.keyslot.it;

import org.jspecify.annotations.NullMarked;
