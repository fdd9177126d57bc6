// SPDX-License-Identifier: Apache-2.0
/** What files hold that may change while a client runs: certificates, keys, passwords. They are read again. */
@NullMarked
package io.keyslot.client.config.files;

import org.jspecify.annotations.NullMarked;
