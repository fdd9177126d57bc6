// SPDX-License-Identifier: Apache-2.0
/** Threads that work for callers, and how they are given up. */
@NullMarked
package io.keyslot.client.concurrent;

import org.jspecify.annotations.NullMarked;
