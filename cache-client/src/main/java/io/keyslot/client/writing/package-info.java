// SPDX-License-Identifier: Apache-2.0
/** The application's writer: before the cache is changed, or after it from a queue. */
@NullMarked
package io.keyslot.client.writing;

import org.jspecify.annotations.NullMarked;
