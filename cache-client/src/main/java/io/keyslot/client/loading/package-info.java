// SPDX-License-Identifier: Apache-2.0

/** Calls the application's loader once for all threads that wait for the same entry, with a bound on concurrent loads. */
@NullMarked
package io.keyslot.client.loading;

import org.jspecify.annotations.NullMarked;
