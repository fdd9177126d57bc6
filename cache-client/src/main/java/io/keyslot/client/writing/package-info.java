// SPDX-License-Identifier: Apache-2.0
/** The application's writer: write-through before the cache is changed, or write-behind from a queue. */
@NullMarked
package io.keyslot.client.writing;

import org.jspecify.annotations.NullMarked;
