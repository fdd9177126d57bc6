// SPDX-License-Identifier: Apache-2.0
/** JSON by Jackson 2 or 3, whichever the application has. */
@NullMarked
package io.keyslot.client.codec.json;

import org.jspecify.annotations.NullMarked;
