// SPDX-License-Identifier: Apache-2.0
/** The door to the partitions for threads that wait, in layers; what a call that failed is told. */
@NullMarked
package io.keyslot.client.call;

import org.jspecify.annotations.NullMarked;
